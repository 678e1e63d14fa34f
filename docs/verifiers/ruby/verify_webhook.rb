# A webhook receiver in Ruby 3.0 or later, without dependencies.
#
# WEBHOOK_SECRETS='whsec_… whsec_…' PORT=8080 ruby verify_webhook.rb

require "json"
require "openssl"
require "socket"

SECRETS = ENV.fetch("WEBHOOK_SECRETS").split
TOLERANCE = Integer(ENV.fetch("WEBHOOK_TOLERANCE", "300"), 10)
MAX_BODY = 16 * 1024 * 1024
REASONS = { 204 => "No Content", 401 => "Unauthorized", 413 => "Content Too Large",
            422 => "Unprocessable Content", 500 => "Internal Server Error" }.freeze

# Whether the body, as received, was signed by the platform within the tolerance.
def verify(headers, body, now)
  timestamp = headers["webhook-timestamp"]
  return false unless timestamp.match?(/\A[0-9]{1,11}\z/)
  return false if (now - timestamp.to_i).abs > TOLERANCE

  signed = "#{headers['webhook-id']}.#{timestamp}.".b + body
  expected = SECRETS.map { |secret| "v1,#{[mac(secret, signed)].pack('m0')}" }
  any_same(expected, headers["webhook-signature"].split(" "))
end

# The older header. Its `now` is the body's, and the same second as webhook-timestamp.
def verify_x_signature_request(headers, body)
  second = Time.at(headers["webhook-timestamp"].to_i).utc
  signed = second.strftime("%Y-%m-%dT%H:%M:%S.000Z.").b + body
  expected = SECRETS.map { |secret| "v1=#{mac(secret, signed).unpack1('H*')}" }
  any_same(expected, headers["x-signature-request"].split(","))
end

def mac(secret, signed)
  OpenSSL::HMAC.digest("SHA256", secret.delete_prefix("whsec_").unpack1("m"), signed)
end

# secure_compare takes the same time wherever two differ; == does not.
def any_same(expected, given)
  expected.product(given).any? { |right, each| OpenSSL.secure_compare(right, each) }
end

# Yours are tables, written in the transaction that applies the message.
SEEN = {}
NEWEST = Hash.new(-1)
LOCK = Mutex.new

# Applies a message once; what it returns is told to the POS user as the reason of a refusal.
def take(id, sequence, message)
  LOCK.synchronize do
    return nil if SEEN.key?(id)

    if message.key?("external_id")
      stock = message["current_stock"]
      return "The stock cannot be negative." if stock.start_with?("-")

      item = "#{message['store_id']}/#{message['external_id']}"
      # A retry may arrive after a newer update of the same item: older news is no news.
      if sequence > NEWEST[item]
        NEWEST[item] = sequence
        puts "stock of #{item} is #{stock}"
      end
    end
    SEEN[id] = true
    nil
  end
end

# The status of the answer and, for a refusal, its message.
def receive(headers, body)
  # The first is enough, and an event has no other. The older one is here to show how.
  return 401 unless verify(headers, body, Time.now.to_i)
  return 401 if headers.key?("x-signature-request") && !verify_x_signature_request(headers, body)

  sequence = Integer(headers["webhook-sequence"], 10)
  refusal = take(headers["webhook-id"], sequence, JSON.parse(body))
  refusal ? [422, refusal] : 204
end

# One request of a connection, as HTTP/1.1 has it. Yours is read by the server that you have.
def serve(socket)
  return unless socket.gets("\r\n", 8_192)

  headers = Hash.new("")
  while (line = socket.gets("\r\n", 8_192)) && line != "\r\n"
    name, value = line.b.split(":", 2)
    headers[name.downcase] = value.to_s.strip
  end
  length = headers["content-length"].to_i
  return answer(socket, 413) if length > MAX_BODY

  answer(socket, *receive(headers, socket.read(length) || ""))
rescue StandardError
  answer(socket, 500)
ensure
  socket.close
end

def answer(socket, status, message = nil)
  content = message ? JSON.generate({ message: message }) : ""
  socket.write("HTTP/1.1 #{status} #{REASONS[status]}\r\nConnection: close\r\n")
  # A 204 has neither content nor the length of one.
  socket.write("Content-Type: application/json\r\nContent-Length: #{content.bytesize}\r\n") if status != 204
  socket.write("\r\n#{content}")
end

if __FILE__ == $PROGRAM_NAME
  $stdout.sync = true
  server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT", "8080"), 10))
  puts "listening on #{server.addr[1]}"
  loop { Thread.new(server.accept) { |socket| serve(socket) } }
end
